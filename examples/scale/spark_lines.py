"""Lines that go through a command on Spark's workers, partition by partition:

spark-submit spark_lines.py INPUT OUTPUT PARTITIONS COMMAND...

INPUT is JSONL in any place that Spark reads: a debate in each line for `assay rwea --stdin --lines`, a conversation for
`assay persona ... --stdin --partial --lines`, a log of turns for `assay reward`. OUTPUT is a folder of what came of the
partitions, in their order; parts of personas and rewards are put together by `assay merge OUTPUT/part-*`. The
program, the persona and the model lie at the same paths on every worker, or are sent along with --files. A line that
cannot be scored leaves the others as they are: the command says so with status 1, and its problem, with its line in the
partition, is in the worker's stderr. Whatever else goes wrong (options that are refused, a persona or a model that is not
there, a full disk) ends the job. When debates are scored the job says how many lines there were and how many results;
parts say themselves what they left out, and `assay merge` says it again.

Spark takes a line that is not UTF-8 with U+FFFD in it, which a single run leaves out; and a lone carriage return ends a
line.
"""

import shlex
import sys

from pyspark.sql import SparkSession


def main():
    source, target, partitions = sys.argv[1:4]
    command = sys.argv[4:]
    spark = SparkSession.builder.appName("assay").getOrCreate()
    lines = spark.sparkContext.textFile(source, int(partitions))
    # it has no environment there: what it needs stands in its arguments
    shell = ["sh", "-c", f"{shlex.join(command)} || [ $? = 1 ]"]
    lines.pipe(shlex.join(shell), checkCode=True).saveAsTextFile(target)
    if "--partial" not in command:
        given, made = (spark.read.text(path.split(",")).where("trim(value) != ''").count() for path in (source, target))
        print(f"{given} lines, {made} results")
    spark.stop()


main()
