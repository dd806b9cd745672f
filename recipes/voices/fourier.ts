/** Changes the real and the imaginary parts of a signal into those of its spectrum, in place. */
export type Fourier = (real: Float64Array, imaginary: Float64Array) => void

/**
 * The fast Fourier transform of `size` points, a power of two. Given the imaginary parts first, it
 * is the inverse transform, times the number of points.
 */
export function fourierOf(size: number): Fourier {
  const cos = Float64Array.from({ length: size / 2 }, (_, at) =>
    Math.cos((2 * Math.PI * at) / size),
  )
  const sin = Float64Array.from({ length: size / 2 }, (_, at) =>
    Math.sin((2 * Math.PI * at) / size),
  )
  const bits = Math.log2(size)
  const places = Uint16Array.from({ length: size }, (_, at) => {
    let reversed = 0
    for (let bit = 0; bit < bits; bit += 1) reversed |= ((at >> bit) & 1) << (bits - 1 - bit)
    return reversed
  })
  return (real, imaginary) => {
    for (let at = 0; at < size; at += 1) {
      const other = places[at]!
      if (at >= other) continue
      swap(real, at, other)
      swap(imaginary, at, other)
    }
    for (let length = 2; length <= size; length *= 2) {
      const [step, half] = [size / length, length / 2]
      for (let start = 0; start < size; start += length)
        for (let at = 0; at < half; at += 1) {
          const c = cos[at * step]!
          const s = -sin[at * step]!
          const even = start + at
          const odd = even + half
          const re = real[odd]! * c - imaginary[odd]! * s
          const im = real[odd]! * s + imaginary[odd]! * c
          real[odd] = real[even]! - re
          imaginary[odd] = imaginary[even]! - im
          real[even]! += re
          imaginary[even]! += im
        }
    }
  }
}

function swap(values: Float64Array, one: number, other: number): void {
  const kept = values[one]!
  values[one] = values[other]!
  values[other] = kept
}
