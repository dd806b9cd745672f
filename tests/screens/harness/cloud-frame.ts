import { expect } from 'vitest'

/**
 * The frame with this title, once the document of this path is in it; what it returns says there
 * what the server's document would say, under this key.
 */
export async function cloudFrame(
  title: string,
  path: string,
  key: string,
): Promise<(said: unknown) => void> {
  const find = () =>
    document.querySelector<HTMLIFrameElement>(`iframe[title="${title}"]`)?.contentDocument
  // A new frame has an empty document first, whose messages have no origin.
  await expect.poll(() => find()?.URL).toContain(path)
  await expect.poll(() => find()?.readyState).toBe('complete')
  return (said) => {
    const script = find()?.createElement('script')
    if (script === undefined) throw new Error('there is no frame')
    script.textContent = `parent.postMessage(${JSON.stringify({ [key]: said })}, location.origin)`
    find()?.head.append(script)
  }
}
