#!/usr/bin/env bash
# Scores debates and replies in processes that know nothing of each other, as many machines would: the
# input is cut into files, each has a file of results that is gone on with by whoever takes it up again,
# one process is ended in the middle, and what comes of all is held against single runs:
#
#   examples/scale/processes.sh [DEBATES=100000] [REPLIES=20000]
#
# Needs Python for making them up. ASSAY is the program and ASSAY_MODEL its model, where they are not the
# release build and public/model; FOLDER is where it works.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
debates=${1:-100000}
replies=${2:-20000}
workers=2
cuts=6
persona=$here/../../public/examples/persona.yaml
if [ -z "${FOLDER:-}" ]; then
    FOLDER=$(mktemp -d)
    trap 'rm -rf "$FOLDER"' EXIT
fi
if [ -z "${ASSAY:-}" ]; then
    # shellcheck source=tools/env
    . "$here/../../tools/env"
    (cd "$here/../.." && on_host cargo build --locked --release --bin assay)
    ASSAY=$ASSAY_TARGET/host/release/assay
fi
export ASSAY_MODEL=${ASSAY_MODEL:-$here/../../public/model}
python3 "$here/debates.py" "$debates" "$FOLDER/debates.jsonl"
python3 "$here/replies.py" "$replies" "$FOLDER/replies.jsonl"

# worker NUMBER COMMAND...: one file of each so many; what was ended goes on where it ended
worker() {
    local number=$1 file
    shift
    for file in $(seq -f "$FOLDER/cut/%02g" "$number" $workers $((cuts - 1))); do
        # a small number is its own word; more is a signal
        until "$@" --input "$file" --lines --threads 1 --out "$file.out" --resume 2>>"$file.err"; do
            [ $? -gt 128 ] || exit 1
            echo "taken up again: $(basename "$file"), of which $(wc -l <"$file.out") lines were there"
        done
    done
}

# spread INPUT IS_ENDED COMMAND...: all files of an input
spread() {
    local input=$1 is_ended=$2 number jobs=()
    shift 2
    rm -rf "$FOLDER/cut"
    mkdir "$FOLDER/cut"
    awk -v all="$(wc -l <"$input")" -v cuts=$cuts -v folder="$FOLDER/cut" \
        '{ print >sprintf("%s/%02d", folder, int((NR - 1) * cuts / all)) }' "$input"
    for number in $(seq 0 $((workers - 1))); do
        worker "$number" "$@" &
        jobs+=($!)
    done
    if [ "$is_ended" = yes ]; then
        # as soon as one has results beside its head
        until [ "$(cat "$FOLDER"/cut/*.out 2>/dev/null | wc -l)" -gt 4 ]; do
            kill -0 "${jobs[0]}" 2>/dev/null || { echo "over before a process could be ended: take more" >&2 && return 1; }
        done
        pkill -9 -o -f -- "--input $FOLDER/cut/"
    fi
    for number in "${jobs[@]}"; do wait "$number"; done
}

echo "$debates debates in $cuts files, $workers processes"
"$ASSAY" rwea --input "$FOLDER/debates.jsonl" >"$FOLDER/single.jsonl"
spread "$FOLDER/debates.jsonl" no "$ASSAY" rwea
cat "$FOLDER"/cut/*.out | cmp - "$FOLDER/single.jsonl"
echo "the results are the same, byte by byte"

echo "$replies replies in $cuts files, $workers processes, one of which is ended in the middle"
"$ASSAY" persona --persona "$persona" --input "$FOLDER/replies.jsonl" >"$FOLDER/single.json" 2>/dev/null
spread "$FOLDER/replies.jsonl" yes "$ASSAY" persona --persona "$persona" --partial
"$ASSAY" merge "$FOLDER"/cut/*.out >"$FOLDER/merged.json"
# the hash is of the sessions there, and of the text here
unhashed() { sed 's/"input_sha256":"[0-9a-f]*"}$/}/' "$1"; }
cmp <(unhashed "$FOLDER/merged.json") <(unhashed "$FOLDER/single.json")
echo "the results are the same, byte by byte but for the hash of the input"
