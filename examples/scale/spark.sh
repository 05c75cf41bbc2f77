#!/usr/bin/env bash
# Scores debates with Spark in local-cluster mode, two workers in processes of their own, ends one
# executor in the middle, and holds the result against a single run:
#
#   examples/scale/spark.sh [DEBATES=1000000]
#
# Needs Java and Python; PySpark is installed into a folder of its own, FOLDER (or one in /tmp).
# ASSAY is the program, where it is not the release build.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
number=${1:-1000000}
folder=${FOLDER:-${TMPDIR:-/tmp}/assay-spark}
mkdir -p "$folder"
if [ -z "${ASSAY:-}" ]; then
    # shellcheck source=tools/env
    . "$here/../../tools/env"
    (cd "$here/../.." && on_host cargo build --locked --release --bin assay)
    ASSAY=$ASSAY_TARGET/host/release/assay
fi
if ! [ -x "$folder/python/bin/spark-submit" ]; then
    python3 -m venv "$folder/python"
    "$folder/python/bin/pip" install --quiet --disable-pip-version-check pyspark
fi
debates=$folder/debates-$number.jsonl
[ -f "$debates" ] || python3 "$here/debates.py" "$number" "$debates"

echo "one process, all cores:"
rm -f "$folder/single.jsonl"
time "$ASSAY" rwea --input "$debates" --out "$folder/single.jsonl"

SPARK_HOME=$("$folder/python/bin/python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')
export SPARK_HOME PYSPARK_PYTHON=$folder/python/bin/python SPARK_LOCAL_IP=127.0.0.1
rm -rf "$folder/results"
echo "two workers, one of which is ended in the middle:"
began=$SECONDS
"$folder/python/bin/spark-submit" --master 'local-cluster[2,1,1024]' \
    --conf spark.executor.memory=900m --conf spark.ui.enabled=false --conf spark.task.maxFailures=8 \
    "$here/spark_debates.py" "$ASSAY" "$debates" "$folder/results" 32 >"$folder/spark.log" 2>&1 &
job=$!
ended=no
while kill -0 $job 2>/dev/null; do
    done_parts=$({ find "$folder/results" -name 'part-*' 2>/dev/null || true; } | wc -l)
    if [ $ended = no ] && [ "$done_parts" -ge 8 ]; then
        victim=$(pgrep -f CoarseGrainedExecutorBackend | head -1)
        kill -9 "$victim"
        ended=$victim
        echo "executor $victim ended after $done_parts of 32 parts"
    fi
    sleep 0.2
done
wait $job || { tail -40 "$folder/spark.log" >&2 && exit 1; }
echo "$((SECONDS - began)) s, with the start of Spark"
[ $ended != no ] || { echo "the job was over before a worker could be ended: take more debates" >&2 && exit 1; }
cat "$folder"/results/part-* | cmp - "$folder/single.jsonl"
echo "the results are the same, byte by byte"
