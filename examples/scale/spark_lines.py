"""Lines that go through a command on Spark's workers, partition by partition:

spark-submit spark_lines.py INPUT OUTPUT PARTITIONS COMMAND...

INPUT is JSONL in any place that Spark reads: a debate in each line for `assay rwea --stdin --lines`, a conversation for
`assay persona ... --stdin --partial --lines`, a log of turns for `assay reward`. OUTPUT is a folder of what came of the
partitions, in their order; parts of personas and rewards are put together by `assay merge OUTPUT/part-*`. The
program, the persona and the model lie at the same paths on every worker, or are sent along with --files. Where a line
cannot be scored the command ends with status 1 and so does the job: its problem, with its line, is in the worker's
stderr. Say `sh -c 'assay ... || [ $? = 1 ]'` where the other lines are to count all the same: what else goes wrong
(a persona or a model that is not there, a full disk) has another status, and still ends the job.
"""

import shlex
import sys

from pyspark.sql import SparkSession


def main():
    source, target, partitions = sys.argv[1:4]
    command = shlex.join(sys.argv[4:])
    spark = SparkSession.builder.appName("assay").getOrCreate()
    lines = spark.sparkContext.textFile(source, int(partitions))
    # it has no environment there: what it needs stands in its arguments
    lines.pipe(command, checkCode=True).saveAsTextFile(target)
    spark.stop()


main()
