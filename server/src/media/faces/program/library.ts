import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import type * as tensors from '@tensorflow/tfjs-core'
import type * as wasm from '@tensorflow/tfjs-backend-wasm'

/** TensorFlow.js from the files of the folder, ready to compute. */
export async function takeTensors(): Promise<typeof tensors> {
  const tf = takeLibrary('tf-core.cjs', null) as typeof tensors
  const { setWasmPaths } = takeLibrary('tf-wasm.cjs', tf) as typeof wasm
  setWasmPaths('./')
  await tf.setBackend('wasm')
  return tf
}

/** A library in one file, of which the second looks for the first by the name of its package. */
function takeLibrary(file: string, tf: typeof tensors | null): unknown {
  const take = createRequire(import.meta.url)
  const module = { exports: {} }
  const names = ['exports', 'module', 'require', '__dirname', '__filename']
  const run = compileFunction(readFileSync(file, 'utf8'), names, { filename: file })
  const asked = (name: string): unknown => (name === '@tensorflow/tfjs-core' ? tf : take(name))
  run(module.exports, module, asked, '.', file)
  return module.exports
}
