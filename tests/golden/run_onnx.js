// The judge of make_onnx.py: what onnxruntime makes of a network and rows of float32 numbers.
//
//   node run_onnx.js NET.onnx OUTPUT[:probability] ROWS.bin COLUMNS
//
// prints one JSON value per row: a name, or a list of numbers.  Networks that fix the number of rows get one at a time.
"use strict";
const fs = require("fs");
const ort = require("onnxruntime-node");

async function main() {
  const [file, output, rows, columns] = process.argv.slice(2);
  const name = output.split(":")[0];
  const width = Number(columns);
  const bytes = fs.readFileSync(rows);
  const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const session = await ort.InferenceSession.create(file, { graphOptimizationLevel: "disabled" });
  const input = session.inputNames[0];
  const values = [];
  for (let r = 0; r * width < numbers.length; r++) {
    const row = new ort.Tensor("float32", numbers.slice(r * width, (r + 1) * width), [1, width]);
    const result = (await session.run({ [input]: row }, [name]))[name];
    values.push(result.type === "string" ? result.data[0] : Array.from(result.data, Number));
  }
  console.log(JSON.stringify(values));
}
main();
