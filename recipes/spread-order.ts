/** First the middle, then the quarters, and so on: any first part of it is spread over all. */
export function inSpreadOrder<T>(items: readonly T[]): readonly T[] {
  const bits = Math.ceil(Math.log2(Math.max(2, items.length)))
  const reversed = (index: number): number =>
    Array.from({ length: bits }, (_, bit) => ((index >> bit) & 1) << (bits - 1 - bit)).reduce(
      (sum, each) => sum + each,
      0,
    )
  return items
    .map((item, index) => ({ item, order: reversed(index) }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item)
}
