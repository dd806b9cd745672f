import type { Page } from '@playwright/test'

/** Paths of all files that the page keeps in the browser's own file system. */
export const filesKept = (page: Page): Promise<readonly string[]> =>
  page.evaluate(async () => {
    const found: string[] = []
    const walk = async (folder: FileSystemDirectoryHandle, path: string): Promise<void> => {
      for await (const entry of folder.values()) {
        const at = `${path}/${entry.name}`
        if (entry.kind === 'directory') await walk(entry as FileSystemDirectoryHandle, at)
        else found.push(at)
      }
    }
    await walk(await navigator.storage.getDirectory(), '')
    return found
  })

/** What a page of the context writes of the third passage of an edit waits for `letGo`. */
export async function holdThirdPassage(
  page: Page,
): Promise<{ readonly letGo: () => Promise<void> }> {
  await page.addInitScript(() => {
    const write = FileSystemFileHandle.prototype.createWritable
    FileSystemFileHandle.prototype.createWritable = async function hold(options) {
      if (this.name.endsWith('.passage-3') && sessionStorage.getItem('let go') === null)
        await new Promise((go) => {
          window.addEventListener('let go', go, { once: true })
        })
      return await write.call(this, options)
    }
  })
  const letGo = () =>
    page.evaluate(() => {
      sessionStorage.setItem('let go', 'yes')
      window.dispatchEvent(new Event('let go'))
    })
  return { letGo }
}

/** How many passages of an edit are kept that is not whole. */
export async function passagesKept(page: Page): Promise<number> {
  return (await filesKept(page)).filter((path) => /\.passage-\d+$/.test(path)).length
}
