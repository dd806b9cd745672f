import { cdp } from 'vitest/browser'

/**
 * Puts a finger on an element, moves it by so many pixels and lifts it, as the browser gets it of a
 * touch screen.
 * @param at where on the element, as shares of it
 */
export async function dragFinger(
  element: Element,
  by: readonly [number, number],
  at: readonly [number, number] = [0.5, 0.5],
): Promise<void> {
  const devTools = cdp() as unknown as {
    send(method: 'Input.dispatchTouchEvent', params: object): Promise<unknown>
  }
  element.scrollIntoView({ block: 'center' })
  const own = element.getBoundingClientRect()
  const frame = window.frameElement?.getBoundingClientRect() ?? new DOMRect()
  const scale = frame.width === 0 ? 1 : frame.width / window.innerWidth
  const touch = async (type: string, share: number | null) => {
    const x = own.x + at[0] * own.width + by[0] * (share ?? 0)
    const y = own.y + at[1] * own.height + by[1] * (share ?? 0)
    const point = { x: frame.x + x * scale, y: frame.y + y * scale }
    await devTools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: share === null ? [] : [point],
    })
  }
  await touch('touchStart', 0)
  for (const share of [0.25, 0.5, 0.75, 1]) await touch('touchMove', share)
  await touch('touchEnd', null)
}
