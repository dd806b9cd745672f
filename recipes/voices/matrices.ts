/** A square matrix, row after row. */
export type SquareMatrix = Float64Array

/**
 * The map that gives points whose covariance is `from` the covariance `to`, and moves them as
 * little as any such map can. Both are symmetric and positive.
 */
export function transport(from: SquareMatrix, to: SquareMatrix, size: number): SquareMatrix {
  const { root, inverse } = roots(from, size)
  const between = times(times(root, to, size), root, size)
  return times(times(inverse, roots(between, size).root, size), inverse, size)
}

/** The square root of a symmetric matrix, and that of its inverse. */
function roots(matrix: SquareMatrix, size: number): { root: SquareMatrix; inverse: SquareMatrix } {
  const { values, vectors } = eigen(matrix, size)
  const [root, inverse] = [new Float64Array(size * size), new Float64Array(size * size)]
  for (let k = 0; k < size; k += 1) {
    const value = Math.sqrt(Math.max(values[k]!, SMALLEST))
    for (let i = 0; i < size; i += 1)
      for (let j = 0; j < size; j += 1) {
        const both = vectors[i * size + k]! * vectors[j * size + k]!
        root[i * size + j]! += value * both
        inverse[i * size + j]! += both / value
      }
  }
  return { root, inverse }
}

const SMALLEST = 1e-9
/** Each sweep squares what is left beside the diagonal, so that it is enough for 64-bit numbers. */
const SWEEPS = 12

function times(a: SquareMatrix, b: SquareMatrix, size: number): SquareMatrix {
  const product = new Float64Array(size * size)
  for (let i = 0; i < size; i += 1)
    for (let k = 0; k < size; k += 1) {
      const value = a[i * size + k]!
      for (let j = 0; j < size; j += 1) product[i * size + j]! += value * b[k * size + j]!
    }
  return product
}

/** Eigenvalues and vectors (columns) of a symmetric matrix, by Jacobi's rotations. */
export function eigen(
  symmetric: SquareMatrix,
  size: number,
): { values: Float64Array; vectors: SquareMatrix } {
  const matrix = Float64Array.from(symmetric)
  const vectors = new Float64Array(size * size)
  for (let i = 0; i < size; i += 1) vectors[i * size + i] = 1
  for (let sweep = 0; sweep < SWEEPS; sweep += 1)
    for (let p = 0; p < size; p += 1)
      for (let q = p + 1; q < size; q += 1) {
        const beside = matrix[p * size + q]!
        if (Math.abs(beside) < 1e-12) continue
        const theta = (matrix[q * size + q]! - matrix[p * size + p]!) / (2 * beside)
        const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
        const cos = 1 / Math.sqrt(tangent * tangent + 1)
        const turn = [cos, tangent * cos] as const
        for (let k = 0; k < size; k += 1) rotate(matrix, k * size + p, k * size + q, turn)
        for (let k = 0; k < size; k += 1) rotate(matrix, p * size + k, q * size + k, turn)
        for (let k = 0; k < size; k += 1) rotate(vectors, k * size + p, k * size + q, turn)
      }
  return { values: Float64Array.from({ length: size }, (_, i) => matrix[i * size + i]!), vectors }
}

function rotate(
  matrix: SquareMatrix,
  p: number,
  q: number,
  [cos, sin]: readonly [number, number],
): void {
  const one = matrix[p]!
  const other = matrix[q]!
  matrix[p] = cos * one - sin * other
  matrix[q] = sin * one + cos * other
}
