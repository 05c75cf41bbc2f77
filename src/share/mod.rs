//! Leaving with a result: permalinks and exports.
