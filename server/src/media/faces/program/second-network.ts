import type * as tensors from '@tensorflow/tfjs-core'
import { rootTable, type FlatTable } from './flat-table.ts'
import { pictureTensor, withoutRepeats, type Detection, type FaceNetwork } from './network.ts'

type Tensors = typeof tensors
type Tensor4D = tensors.Tensor4D

/** Computes a step from what its inputs hold. */
type Compute = (inputs: readonly Tensor4D[]) => Tensor4D

interface Step {
  readonly compute: Compute
  readonly inputs: readonly number[]
  readonly output: number
}

/** A network as its file tells it: steps in order, and the numbers of tensors that matter. */
interface Graph {
  readonly steps: readonly Step[]
  readonly input: number
  /** Boxes and kinds. */
  readonly outputs: readonly number[]
}

/** The numbers that TensorFlow Lite gives to what this network does. */
const CODES = {
  add: 0,
  convolve: 3,
  convolveEach: 4,
  widenNumbers: 6,
  pool: 17,
  cutNegative: 19,
  reshape: 22,
  enlarge: 23,
  pad: 34,
} as const
/** Numbers of two bytes. */
const HALF_NUMBERS = 1
/** Pixels of the picture between two places in which a face may lie. */
const STRIDE = 4
/** Of each place: the middle and the sides of a box, then six points of a face. */
const VALUES_OF_BOX = 16

/**
 * BlazeFace for faces up to some metres away, of which `@mediapipe/face_detection` has the weights.
 * It was trained on other pictures than the first network and has another shape: what one of them
 * overlooks, the other often sees. It is fully convolutional too.
 */
export function makeSecondNetwork(tf: Tensors, file: Uint8Array): FaceNetwork {
  const { steps, input, outputs } = readGraph(tf, file)
  return {
    detect: (picture, leastScore) => {
      tf.engine().startScope()
      try {
        const values = new Map([[input, pictureTensor(tf, picture)]])
        for (const { compute, inputs, output } of steps)
          values.set(output, compute(inputs.map((index) => valueOf(values, index))))
        const [boxes, kinds] = outputs.map((index) => valueOf(values, index))
        if (boxes === undefined || kinds === undefined)
          throw new Error('The second face network lacks an output')
        return withoutRepeats(facesOf(boxes, kinds, leastScore))
      } finally {
        tf.engine().endScope()
      }
    },
  }
}

function valueOf(values: ReadonlyMap<number, Tensor4D>, index: number): Tensor4D {
  const value = values.get(index)
  if (value === undefined) throw new Error('The second face network lacks a tensor')
  return value
}

function facesOf(boxes: Tensor4D, kinds: Tensor4D, leastScore: number): Detection[] {
  const [, rows, columns] = kinds.shape
  const [sides, likeness] = [boxes.dataSync(), kinds.dataSync()]
  const found: Detection[] = []
  for (let index = 0; index < rows * columns; index += 1) {
    const score = 1 / (1 + Math.exp(-(likeness[index] ?? -Infinity)))
    if (score < leastScore) continue
    const side = (at: number): number => sides[index * VALUES_OF_BOX + at] ?? 0
    const [width, height] = [side(2), side(3)]
    const middleX = ((index % columns) + 0.5) * STRIDE + side(0)
    const middleY = (Math.floor(index / columns) + 0.5) * STRIDE + side(1)
    found.push({ x: middleX - width / 2, y: middleY - height / 2, width, height, score })
  }
  return found
}

/** What one step does, as the file says it. */
interface Operator {
  readonly code: number
  readonly inputs: readonly number[]
  readonly output: number
  readonly options: FlatTable | null
  /** What is below nothing counts as nothing: a step of its own in the file. */
  readonly isCut: boolean
}

/** Reads what a file of TensorFlow Lite does; throws where this is no network of that kind. */
function readGraph(tf: Tensors, file: Uint8Array): Graph {
  const model = rootTable(file)
  const main = model.tables(2)[0]
  if (main === undefined) throw new Error('The second face network is empty')
  const codes = model.tables(1).map((each) => Math.max(each.number(0, 1), each.number(3, 4)))
  const operators = main.tables(3).map((each): Operator => ({
    code: codes[each.number(0, 4)] ?? -1,
    inputs: each.numbers(1),
    output: each.numbers(2)[0] ?? -1,
    options: each.table(4),
    isCut: false,
  }))
  const constants = constantsOf(model, main, operators)
  const steps = withCuts(operators.filter(({ code }) => code !== CODES.widenNumbers)).map(
    (operator): Step => ({
      compute: computeOf(tf, operator, constants),
      inputs: operator.inputs.filter((index) => !constants.has(index)),
      output: operator.output,
    }),
  )
  return { steps, input: main.numbers(1)[0] ?? -1, outputs: main.numbers(2) }
}

/** Numbers that the file holds. */
interface Constant {
  readonly data: Uint8Array
  readonly shape: readonly number[]
  readonly kind: number
}

/** By the tensor; where the file holds them in half the bytes, also by the tensor made of them. */
function constantsOf(
  model: FlatTable,
  main: FlatTable,
  operators: readonly Operator[],
): ReadonlyMap<number, Constant> {
  const buffers = model.tables(4).map((each) => each.bytes(0))
  const constants = new Map<number, Constant>()
  for (const [index, each] of main.tables(0).entries()) {
    const data = buffers[each.number(2, 4)]
    if (data !== undefined && data.length > 0)
      constants.set(index, { data, shape: each.numbers(0), kind: each.number(1, 1) })
  }
  for (const { code, inputs, output } of operators) {
    const narrow = constants.get(inputs[0] ?? -1)
    if (code === CODES.widenNumbers && narrow !== undefined) constants.set(output, narrow)
  }
  return constants
}

/** A convolution cuts by itself what a step after it would cut, which spares a pass. */
function withCuts(operators: readonly Operator[]): readonly Operator[] {
  const cutOf = new Map<number, Operator>()
  for (const each of operators)
    if (each.code === CODES.cutNegative) cutOf.set(each.inputs[0] ?? -1, each)
  const taken = new Set<Operator>()
  const cutting = operators.map((each): Operator => {
    const cut = cutOf.get(each.output)
    const isOnlyReader = operators.filter(({ inputs }) => inputs.includes(each.output)).length === 1
    const canCut = each.code === CODES.convolve || each.code === CODES.convolveEach
    if (cut === undefined || !isOnlyReader || !canCut) return each
    taken.add(cut)
    return { ...each, output: cut.output, isCut: true }
  })
  return cutting.filter((each) => !taken.has(each))
}

function computeOf(
  tf: Tensors,
  { code, inputs, options, isCut }: Operator,
  constants: ReadonlyMap<number, Constant>,
): Compute {
  const [, first, second] = inputs.map((index) => constants.get(index))
  const strides = options?.number(1, 4) ?? 1
  const activation = isCut ? 'relu' : 'linear'
  switch (code) {
    case CODES.add:
      return ([a, b]) => tf.add<Tensor4D>(given(a), given(b))
    case CODES.convolve: {
      const [filter, bias] = [filterOf(tf, first), tf.tensor1d(decimalsOf(second))]
      // 0 = as large as the picture, 1 = without the edge; a filter of one pixel has none.
      const pad = options?.number(0, 1) === 1 ? 'valid' : 'same'
      return ([x]) => tf.fused.conv2d({ x: given(x), filter, bias, strides, pad, activation })
    }
    case CODES.convolveEach: {
      const [filter, bias] = [filterOf(tf, first), tf.tensor1d(decimalsOf(second))]
      return ([x]) =>
        tf.fused.depthwiseConv2d({ x: given(x), filter, bias, strides, pad: 'same', activation })
    }
    case CODES.pool:
      return ([x]) => tf.maxPool(given(x), strides, strides, 'same')
    case CODES.cutNegative:
      return ([x]) => tf.relu(given(x))
    case CODES.reshape:
      return ([x]) => given(x)
    case CODES.enlarge:
      return ([x]) => doubled(tf, given(x))
    case CODES.pad:
      return ([x]) => withMoreChannels(tf, given(x), first)
    default:
      throw new Error(`The second face network has a step that is not known here: ${code}`)
  }
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The second face network lacks an input')
  return value
}

/** From the order of the file, in which the channel that is made comes first. */
function filterOf(tf: Tensors, constant: Constant | undefined): Tensor4D {
  const [a = 1, b = 1, c = 1, d = 1] = given(constant).shape
  return tf.tidy(() =>
    tf.transpose<Tensor4D>(tf.tensor4d(decimalsOf(constant), [a, b, c, d]), [1, 2, 3, 0]),
  )
}

/** Copied, because they must begin at a multiple of their size. */
function decimalsOf(constant: Constant | undefined): Float32Array {
  const { data, kind } = given(constant)
  const own = Uint8Array.from(data).buffer
  return kind === HALF_NUMBERS ? Float32Array.from(new Float16Array(own)) : new Float32Array(own)
}

function doubled(tf: Tensors, map: Tensor4D): Tensor4D {
  const [, height, width] = map.shape
  return tf.image.resizeBilinear(map, [2 * height, 2 * width], false, true)
}

/** @param constant how much is added before and after each side, of which only channels grow */
function withMoreChannels(tf: Tensors, map: Tensor4D, constant: Constant | undefined): Tensor4D {
  const sides = new Int32Array(Uint8Array.from(given(constant).data).buffer)
  return tf.pad(map, [
    [0, 0],
    [0, 0],
    [0, 0],
    [0, sides.at(-1) ?? 0],
  ])
}
