import type * as tensors from '@tensorflow/tfjs-core'
import { overlap, type Rectangle } from './rectangle.ts'
import type { Picture } from './turns.ts'

type Tensors = typeof tensors
type Tensor4D = tensors.Tensor4D

/** A face that the network takes for one, as surely as 0..1 says. */
export interface Detection extends Rectangle {
  readonly score: number
}

/** One entry of the list that comes with the weights. */
interface WeightEntry {
  readonly name: string
  readonly shape: readonly number[]
  readonly quantization?: { readonly scale: number; readonly min: number }
}

interface Weights {
  readonly shape: readonly number[]
  readonly data: Float32Array
}

interface Layer {
  readonly filter: Tensor4D
  readonly bias: tensors.Tensor1D
}

/** One map of the network: what it looks for at each of its places. */
interface Head {
  readonly box: Layer
  readonly kind: Layer
  /** Pixels of the picture between two places. */
  readonly stride: number
  /** Heights and widths, in pixels, that a place begins with. */
  readonly shapes: readonly (readonly [number, number])[]
}

/** What was trained beside the layers: first anchor of each map, and how many a place has. */
const MAPS = [
  { first: 0, shapes: 3, stride: 16 },
  { first: 3072, shapes: 6, stride: 32 },
  { first: 4608, shapes: 6, stride: 64 },
  { first: 4992, shapes: 6, stride: 128 },
  { first: 5088, shapes: 6, stride: 256 },
  { first: 5112, shapes: 6, stride: 512 },
] as const
/** The side of the pictures that the anchors were written down for. */
const TRAINED_SIDE = 512
const HALVING_PAIRS: readonly number[] = [2, 4, 6, 12]
const EPSILON = 0.0010000000474974513
/** Two boxes of the same picture that share more than this are one face. */
const SAME_FACE = 0.4

/**
 * SSD MobileNet v1 for faces, of which `@vladmandic/face-api` has the weights. Every layer is a
 * convolution, so that pictures may have any shape: a wide one costs no black bars, and a larger
 * one shows smaller faces.
 */
export interface FaceNetwork {
  /** Faces of at least this score, the surest first, in pixels of the picture. */
  detect(picture: Picture, leastScore: number): readonly Detection[]
}

/** Makes the network from the two files of its weights. */
export function makeFaceNetwork(tf: Tensors, manifest: string, bytes: Uint8Array): FaceNetwork {
  const weights = readWeights(manifest, bytes)
  const layer = (name: string, bias: string): Layer => ({
    filter: tf.tensor4d(...tensorOf(weights, name)),
    bias: tf.tensor1d(dataOf(weights, bias)),
  })
  const pointwise = (name: string): Layer =>
    layer(`${name}/weights`, `${name}/convolution_bn_offset`)
  const first = pointwise('MobilenetV1/Conv2d_0_pointwise')
  const pairs = Array.from({ length: 13 }, (_, index) => ({
    depthwise: depthwiseLayer(tf, weights, `MobilenetV1/Conv2d_${index + 1}_depthwise`),
    pointwise: pointwise(`MobilenetV1/Conv2d_${index + 1}_pointwise`),
    stride: HALVING_PAIRS.includes(index + 1) ? 2 : 1,
  }))
  const extras = Array.from({ length: 8 }, (_, index) => ({
    layer: pointwise(`Prediction/Conv2d_${index}_pointwise`),
    stride: index % 2 === 0 ? 1 : 2,
  }))
  const anchors = dataOf(weights, 'Output/extra_dim')
  const heads = MAPS.map((map, index): Head => {
    const name = `Prediction/BoxPredictor_${index}`
    const head = (kind: string): Layer => layer(`${name}/${kind}/weights`, `${name}/${kind}/biases`)
    return {
      box: head('BoxEncodingPredictor'),
      kind: head('ClassPredictor'),
      stride: map.stride,
      shapes: anchorShapes(anchors, map),
    }
  })
  return {
    detect: (picture, leastScore) => {
      tf.engine().startScope()
      try {
        const maps = mapsOf(tf, picture, { first, pairs, extras })
        const found = heads.flatMap((head, index) => {
          const map = maps[index]
          return map === undefined ? [] : facesOf(tf, map, head, leastScore)
        })
        return withoutRepeats(found)
      } finally {
        tf.engine().endScope()
      }
    },
  }
}

/** What a picture goes through on its way to the maps, in this order. */
interface Layers {
  readonly first: Layer
  readonly pairs: readonly {
    readonly depthwise: Layer
    readonly pointwise: Layer
    readonly stride: number
  }[]
  readonly extras: readonly { readonly layer: Layer; readonly stride: number }[]
}

/** The six maps in which faces are looked for, the finest first. */
function mapsOf(tf: Tensors, picture: Picture, { first, pairs, extras }: Layers): Tensor4D[] {
  let map = convolve(tf, pictureTensor(tf, picture), first, 2, 'relu6')
  const maps: Tensor4D[] = []
  for (const [index, pair] of pairs.entries()) {
    const { filter, bias } = pair.depthwise
    const strides = pair.stride
    const x = map
    map = tf.fused.depthwiseConv2d({ x, filter, bias, strides, pad: 'same', activation: 'relu6' })
    map = convolve(tf, map, pair.pointwise, 1, 'relu6')
    if (index === 10) maps.push(map)
  }
  maps.push(map)
  for (const [index, extra] of extras.entries()) {
    map = convolve(tf, map, extra.layer, extra.stride, 'relu6')
    if (index % 2 === 1) maps.push(map)
  }
  return maps
}

function convolve(
  tf: Tensors,
  x: Tensor4D,
  { filter, bias }: Layer,
  strides: number,
  activation: 'relu6' | 'linear',
): Tensor4D {
  return tf.fused.conv2d({ x, filter, bias, strides, pad: 'same', activation })
}

/** The picture as both networks want it: -1..1, sides in whole multiples of 32, black beside it. */
export function pictureTensor(tf: Tensors, { width, height, rgb }: Picture): Tensor4D {
  const [fullWidth, fullHeight] = [Math.ceil(width / 32) * 32, Math.ceil(height / 32) * 32]
  const values = new Float32Array(fullWidth * fullHeight * 3).fill(-1)
  for (let y = 0; y < height; y += 1) {
    const to = y * fullWidth * 3
    const from = y * width * 3
    for (let index = 0; index < width * 3; index += 1)
      values[to + index] = (rgb[from + index] ?? 0) / 127.5 - 1
  }
  return tf.tensor4d(values, [1, fullHeight, fullWidth, 3])
}

/** What one map sees. */
function facesOf(tf: Tensors, map: Tensor4D, head: Head, leastScore: number): Detection[] {
  const boxes = convolve(tf, map, head.box, 1, 'linear').dataSync()
  const kinds = convolve(tf, map, head.kind, 1, 'linear').dataSync()
  const [, rows, columns] = map.shape
  const found: Detection[] = []
  let index = 0
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1)
      for (const [tall, wide] of head.shapes) {
        // Of each three: nothing, a face, and a kind that was never trained.
        const score = 1 / (1 + Math.exp(-(kinds[index * 3 + 1] ?? -Infinity)))
        if (score >= leastScore) {
          const part = (at: number): number => boxes[index * 4 + at] ?? 0
          const height = Math.exp(part(2) / 5) * tall
          const width = Math.exp(part(3) / 5) * wide
          const middleY = (row + 0.5) * head.stride + (part(0) / 10) * tall
          const middleX = (column + 0.5) * head.stride + (part(1) / 10) * wide
          found.push({ x: middleX - width / 2, y: middleY - height / 2, width, height, score })
        }
        index += 1
      }
  return found
}

/** Of boxes that mean the same face, the surest. */
export function withoutRepeats(found: readonly Detection[]): Detection[] {
  const kept: Detection[] = []
  for (const each of found.toSorted((a, b) => b.score - a.score))
    if (kept.every((other) => overlap(other, each) < SAME_FACE)) kept.push(each)
  return kept
}

/** Heights and widths of one place's anchors; they are alike at every place. */
function anchorShapes(
  anchors: Float32Array,
  { first, shapes }: { readonly first: number; readonly shapes: number },
): readonly (readonly [number, number])[] {
  return Array.from({ length: shapes }, (_, index) => {
    const [top = 0, left = 0, bottom = 0, right = 0] = anchors.subarray((first + index) * 4)
    return [(bottom - top) * TRAINED_SIDE, (right - left) * TRAINED_SIDE]
  })
}

/** Its batch normalisation is multiplied into the filter, which halves the passes over the data. */
function depthwiseLayer(tf: Tensors, weights: ReadonlyMap<string, Weights>, name: string): Layer {
  const [filter, shape] = tensorOf(weights, `${name}/depthwise_weights`)
  const norm = (part: string): Float32Array => dataOf(weights, `${name}/BatchNorm/${part}`)
  const [gamma, beta] = [norm('gamma'), norm('beta')]
  const [mean, variance] = [norm('moving_mean'), norm('moving_variance')]
  const factors = gamma.map((value, index) => value / Math.sqrt((variance[index] ?? 0) + EPSILON))
  return {
    filter: tf.tensor4d(
      filter.map((value, index) => value * (factors[index % factors.length] ?? 0)),
      shape,
    ),
    bias: tf.tensor1d(
      beta.map((value, index) => value - (mean[index] ?? 0) * (factors[index] ?? 0)),
    ),
  }
}

/** The numbers of the file by name; those of one byte stand for evenly spaced ones. */
function readWeights(manifest: string, bytes: Uint8Array): ReadonlyMap<string, Weights> {
  const [group] = JSON.parse(manifest) as readonly { readonly weights: readonly WeightEntry[] }[]
  const weights = new Map<string, Weights>()
  let at = 0
  for (const { name, shape, quantization } of group?.weights ?? []) {
    const length = shape.reduce((product, side) => product * side, 1)
    const size = quantization === undefined ? length * 4 : length
    // Copied, because four bytes must begin at a multiple of four; a Buffer's `slice` copies none.
    const own = Uint8Array.from(bytes.subarray(at, at + size))
    if (own.length < size) throw new Error('The weights of the face network are cut short')
    at += size
    const data =
      quantization === undefined
        ? new Float32Array(own.buffer, 0, length)
        : Float32Array.from(own, (byte) => byte * quantization.scale + quantization.min)
    weights.set(name, { shape, data })
  }
  return weights
}

function dataOf(weights: ReadonlyMap<string, Weights>, name: string): Float32Array {
  const found = weights.get(name)
  if (found === undefined) throw new Error(`The weights of the face network lack ${name}`)
  return found.data
}

function tensorOf(
  weights: ReadonlyMap<string, Weights>,
  name: string,
): [Float32Array, [number, number, number, number]] {
  const data = dataOf(weights, name)
  const [a = 1, b = 1, c = 1, d = 1] = weights.get(name)?.shape ?? []
  return [data, [a, b, c, d]]
}
