"""Debates scored by Spark: each partition goes through `assay rwea --stdin --lines` on its worker.

spark-submit spark_debates.py ASSAY INPUT OUTPUT [PARTITIONS]

INPUT is JSONL, a debate in each line, in any place that Spark reads; OUTPUT is a folder of results in the
same order. The program lies at the same path on every worker, or is sent along with --files and named
./assay. A debate that cannot be scored has no result; its problem is in the worker's stderr.
"""

import sys

from pyspark.sql import SparkSession


def main():
    assay, source, target = sys.argv[1:4]
    partitions = int(sys.argv[4]) if len(sys.argv) > 4 else None
    spark = SparkSession.builder.appName("assay").getOrCreate()
    lines = spark.sparkContext.textFile(source, partitions)
    # one thread each: Spark has a task for every core
    scored = lines.pipe(f"{assay} rwea --stdin --lines --threads 1")
    scored.saveAsTextFile(target)
    spark.stop()


main()
