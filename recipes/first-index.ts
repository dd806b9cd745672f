/**
 * The first index of a sorted list from which on `isReached` holds; the length of the list where it
 * never does. It asks twenty times of a list of a million, which matters: the packets of a day are
 * asked for each of its seconds.
 */
export function firstIndex<T>(list: ArrayLike<T>, isReached: (each: T) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    const each = list[middle]
    if (each === undefined || isReached(each)) high = middle
    else low = middle + 1
  }
  return low
}
