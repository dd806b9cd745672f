import { onTestFinished, vi } from 'vitest'

/**
 * What the page copied last in this test. The clipboard itself is one for all pages of the browser,
 * and test files run side by side. Call before the press.
 */
export function watchCopying(): () => string {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  onTestFinished(() => write.mockRestore())
  return () => write.mock.lastCall?.[0] ?? ''
}
