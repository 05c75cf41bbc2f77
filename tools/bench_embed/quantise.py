"""quantise.py FLOAT32.onnx OUT.onnx: the customary dynamic 8-bit file, by onnxruntime's own quantiser."""

import sys

from onnxruntime.quantization import QuantType, quantize_dynamic

quantize_dynamic(sys.argv[1], sys.argv[2], weight_type=QuantType.QInt8)
