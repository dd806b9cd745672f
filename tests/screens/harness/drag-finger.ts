import { cdp } from 'vitest/browser'

/**
 * Puts a finger on an element, moves it by so many pixels and lifts it, as the browser gets it of a
 * touch screen.
 * @param at where on the element, as shares of it
 * @param second where a second finger is put down after the first, and lies still
 */
export async function dragFinger(
  element: Element,
  by: readonly [number, number],
  at: readonly [number, number] = [0.5, 0.5],
  second: readonly [number, number] | null = null,
): Promise<void> {
  const devTools = cdp() as unknown as {
    send(method: 'Input.dispatchTouchEvent', params: object): Promise<unknown>
  }
  element.scrollIntoView({ block: 'center' })
  const own = element.getBoundingClientRect()
  const frame = window.frameElement?.getBoundingClientRect() ?? new DOMRect()
  const scale = frame.width === 0 ? 1 : frame.width / window.innerWidth
  const pointAt = (on: readonly [number, number], share: number, id: number) => {
    const x = own.x + on[0] * own.width + by[0] * share
    const y = own.y + on[1] * own.height + by[1] * share
    return { x: frame.x + x * scale, y: frame.y + y * scale, id }
  }
  let fingers = 0
  const touch = async (type: string, share: number | null) => {
    const points = [
      ...(share === null ? [] : [pointAt(at, share, 0)]),
      ...(share === null || second === null || fingers < 2 ? [] : [pointAt(second, 0, 1)]),
    ]
    await devTools.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  }
  fingers = 1
  await touch('touchStart', 0)
  if (second !== null) {
    fingers = 2
    await touch('touchStart', 0)
  }
  for (const share of [0.25, 0.5, 0.75, 1]) await touch('touchMove', share)
  await touch('touchEnd', null)
}
