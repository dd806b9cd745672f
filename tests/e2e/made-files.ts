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

/** The passages of an edit as this tab wrote them, of which the third one waits for `letGo`. */
export async function holdThirdPassage(page: Page): Promise<HeldPassage> {
  await page.addInitScript(() => {
    const write = FileSystemFileHandle.prototype.createWritable
    FileSystemFileHandle.prototype.createWritable = async function hold(options) {
      const [, passage] = /\.passage-(\d+)$/.exec(this.name) ?? []
      sessionStorage.setItem('begun', passage ?? sessionStorage.getItem('begun') ?? '')
      if (passage === '3' && sessionStorage.getItem('let go') === null)
        await new Promise((go) => {
          window.addEventListener('let go', go, { once: true })
        })
      const written = sessionStorage.getItem('written') ?? ''
      if (passage !== undefined) sessionStorage.setItem('written', `${written}${passage} `)
      return await write.call(this, options)
    }
  })
  const item = (name: string) => page.evaluate((key) => sessionStorage.getItem(key) ?? '', name)
  return {
    isHeld: async () => (await item('begun')) === '3',
    letGo: () =>
      page.evaluate(() => {
        sessionStorage.setItem('let go', 'yes')
        window.dispatchEvent(new Event('let go'))
      }),
    written: async () => (await item('written')).trim().split(' '),
  }
}

export interface HeldPassage {
  /** Two passages are kept, and the third one waits. */
  isHeld(): Promise<boolean>
  letGo(): Promise<void>
  /** The numbers of all passages that were written, in their order. */
  written(): Promise<readonly string[]>
}

/** How many passages of an edit are kept that is not whole. */
export async function passagesKept(page: Page): Promise<number> {
  return (await filesKept(page)).filter((path) => /\.passage-\d+$/.test(path)).length
}
