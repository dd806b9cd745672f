/** A distance that is larger than that of any two pictures. */
const UNLIKE = 16

/**
 * How far two pictures are from each other, by the digits that the analysis wrote for them: the
 * mean difference of brightness in their parts, 0 to 15; `UNLIKE` where one of them is not known.
 */
export function likenessBetween(a: string, b: string): number {
  if (a === '' || a.length !== b.length) return UNLIKE
  let sum = 0
  for (let at = 0; at < a.length; at += 1)
    sum += Math.abs(digitOf(a.charCodeAt(at)) - digitOf(b.charCodeAt(at)))
  return sum / a.length
}

/** The value of a character of `0` to `9` and `a` to `f`. */
export function digitOf(code: number): number {
  return code < 58 ? code - 48 : code - 87
}
