/** A rectangle in pixels of a small picture; it may reach outside of it. */
export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Shared area by the area of both together: 0 apart, 1 the same. */
export function overlap(a: Rectangle, b: Rectangle): number {
  const shared = sharedArea(a, b)
  return shared === 0 ? 0 : shared / (a.width * a.height + b.width * b.height - shared)
}

/** How much of the first, by its area, the second holds: 0 nothing, 1 all. */
export function shareInside(a: Rectangle, b: Rectangle): number {
  return sharedArea(a, b) / (a.width * a.height)
}

function sharedArea(a: Rectangle, b: Rectangle): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return width <= 0 || height <= 0 ? 0 : width * height
}

/** The mean of both sides. */
export function sizeOf({ width, height }: Rectangle): number {
  return (width + height) / 2
}

/** How far two middles are from each other, in pixels. */
export function distance(a: Rectangle, b: Rectangle): number {
  return Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2)
}

/** Between two rectangles: 0 = `a`, 1 = `b`. */
export function between(a: Rectangle, b: Rectangle, share: number): Rectangle {
  const mix = (from: number, to: number): number => from + (to - from) * share
  return {
    x: mix(a.x, b.x),
    y: mix(a.y, b.y),
    width: mix(a.width, b.width),
    height: mix(a.height, b.height),
  }
}

/** The smallest rectangle around both. */
export function around(a: Rectangle, b: Rectangle): Rectangle {
  const x = Math.min(a.x, b.x)
  const y = Math.min(a.y, b.y)
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  }
}
