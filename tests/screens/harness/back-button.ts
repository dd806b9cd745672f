import { onTestFinished } from 'vitest'

/**
 * The back button of a phone, as the browser passes it on to the page. Call it before the screen is
 * opened.
 * @returns presses it; true where something on the page took the press
 */
export function watchBackButton(): () => boolean {
  const native = window.CloseWatcher
  if (native === undefined) throw new Error('This browser has no CloseWatcher.')
  let active: InstanceType<typeof native> | null = null
  const watched = new Proxy(native, {
    construct: (target) => {
      const watcher = new target()
      const forget = () => {
        if (active === watcher) active = null
      }
      const destroy = watcher.destroy.bind(watcher)
      watcher.destroy = () => {
        destroy()
        forget()
      }
      watcher.addEventListener('close', forget)
      active = watcher
      return watcher
    },
  })
  const put = (value: typeof native): void => {
    Object.defineProperty(window, 'CloseWatcher', { value, configurable: true, writable: true })
  }
  put(watched)
  onTestFinished(() => put(native))
  return () => {
    const pressed = active as (EventTarget & { requestClose(): void }) | null
    pressed?.requestClose()
    return pressed !== null
  }
}
