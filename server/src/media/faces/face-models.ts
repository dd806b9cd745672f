import { existsSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

/** Files that the search program needs, by their names in its folder. */
export type FaceModels = Readonly<Record<string, string>>

/** Packages of optional dependencies, and what is taken of them. */
const PARTS = [
  {
    from: '@tensorflow/tfjs-core',
    files: { 'tf-core.cjs': 'dist/tf-core.min.js' },
  },
  {
    from: '@tensorflow/tfjs-backend-wasm',
    files: {
      'tf-wasm.cjs': 'dist/tf-backend-wasm.min.js',
      'tfjs-backend-wasm-simd.wasm': 'dist/tfjs-backend-wasm-simd.wasm',
    },
  },
  {
    from: '@mediapipe/face_detection',
    files: { 'second.tflite': 'face_detection_full_range.tflite' },
  },
  {
    from: '@vladmandic/face-api',
    files: {
      'weights.json': 'model/ssd_mobilenetv1_model-weights_manifest.json',
      'weights.bin': 'model/ssd_mobilenetv1_model.bin',
    },
  },
] as const

/** Where the models of this installation are, or which package is missing. */
export function findFaceModels(): FaceModels | { readonly missing: string } {
  const models: Record<string, string> = {}
  for (const { from, files } of PARTS) {
    const description = packageOf(from)
    if (description === null) return { missing: from }
    for (const [name, file] of Object.entries(files)) {
      const path = join(dirname(description), file)
      if (!existsSync(path)) return { missing: from }
      models[name] = path
    }
  }
  return models
}

function packageOf(name: string): string | null {
  try {
    return findPackageJSON(name, import.meta.url) ?? null
  } catch {
    return null
  }
}
