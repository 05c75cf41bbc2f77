#!/usr/bin/env bash
# Scores debates and replies with Spark in local-cluster mode, two workers in processes of their own, ends
# one executor in the middle of each, and holds the results against single runs:
#
#   examples/scale/spark.sh [DEBATES=1000000] [REPLIES=200000]
#
# 0 leaves one of the two out. Needs Java and Python; PySpark is installed into a folder of its own,
# FOLDER (or one in /tmp). ASSAY is the program and ASSAY_MODEL its model, where they are not the release
# build and public/model; PARTS is how many partitions there are (32).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
debates=${1:-1000000}
replies=${2:-200000}
folder=${FOLDER:-${TMPDIR:-/tmp}/assay-spark}
persona=$here/../../public/examples/persona.yaml
parts=${PARTS:-32}
mkdir -p "$folder"
if [ -z "${ASSAY:-}" ]; then
    # shellcheck source=tools/env
    . "$here/../../tools/env"
    (cd "$here/../.." && on_host cargo build --locked --release --bin assay)
    ASSAY=$ASSAY_TARGET/host/release/assay
fi
export ASSAY_MODEL=${ASSAY_MODEL:-$here/../../public/model}
if ! [ -x "$folder/python/bin/spark-submit" ]; then
    python3 -m venv "$folder/python"
    "$folder/python/bin/pip" install --quiet --disable-pip-version-check pyspark
fi
SPARK_HOME=$("$folder/python/bin/python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')
export SPARK_HOME PYSPARK_PYTHON=$folder/python/bin/python SPARK_LOCAL_IP=127.0.0.1

# in_spark INPUT OUTPUT COMMAND...: the same through Spark, one executor ended in the middle
in_spark() {
    local input=$1 output=$2 job ended=no done_parts victim began=$SECONDS
    shift 2
    rm -rf "$output"
    "$folder/python/bin/spark-submit" --master 'local-cluster[2,1,1024]' \
        --conf spark.executor.memory=900m --conf spark.ui.enabled=false --conf spark.task.maxFailures=8 \
        "$here/spark_lines.py" "$input" "$output" $parts "$@" >"$folder/spark.log" 2>&1 &
    job=$!
    while kill -0 $job 2>/dev/null; do
        done_parts=$({ find "$output" -name 'part-*' 2>/dev/null || true; } | wc -l)
        if [ $ended = no ] && [ "$done_parts" -ge $((parts / 4)) ]; then
            # one of this job, which is started in the same session
            victim=$(pgrep -s 0 -f CoarseGrainedExecutorBackend | head -1) || true
            if [ -n "$victim" ] && kill -9 "$victim"; then
                ended=$victim
                echo "executor $victim ended after $done_parts of $parts parts"
            fi
        fi
        sleep 0.2
    done
    wait $job || { tail -40 "$folder/spark.log" >&2 && return 1; }
    echo "$((SECONDS - began)) s, with the start of Spark"
    if [ $ended = no ]; then
        echo "the job was over before a worker could be ended: take more" >&2
        return 1
    fi
}

if [ "$debates" -gt 0 ]; then
    input=$folder/debates-$debates.jsonl
    [ -f "$input" ] || { python3 "$here/debates.py" "$debates" "$input.new" && mv "$input.new" "$input"; }
    echo "$debates debates, one process, all cores:"
    rm -f "$folder/single.jsonl"
    time "$ASSAY" rwea --input "$input" --out "$folder/single.jsonl"
    echo "two workers, one of which is ended in the middle:"
    in_spark "$input" "$folder/verdicts" "$ASSAY" rwea --stdin --lines --threads 1
    cat "$folder"/verdicts/part-* | cmp - "$folder/single.jsonl"
    echo "the results are the same, byte by byte"
fi

if [ "$replies" -gt 0 ]; then
    input=$folder/replies-$replies.jsonl
    [ -f "$input" ] || { python3 "$here/replies.py" "$replies" "$input.new" && mv "$input.new" "$input"; }
    echo "$replies replies, one process, all cores:"
    time "$ASSAY" persona --persona "$persona" --input "$input" >"$folder/single.json" 2>"$folder/single.err"
    echo "two workers, one of which is ended in the middle:"
    in_spark "$input" "$folder/parts" "$ASSAY" persona --persona "$persona" --model "$ASSAY_MODEL" --stdin --partial --lines --threads 1
    echo "put together:"
    time "$ASSAY" merge "$folder"/parts/part-* >"$folder/merged.json"
    # the hash is of the sessions there, and of the text here
    unhashed() { sed 's/"input_sha256":"[0-9a-f]*"}$/}/' "$1"; }
    cmp <(unhashed "$folder/merged.json") <(unhashed "$folder/single.json")
    echo "the results are the same, byte by byte but for the hash of the input"
fi
