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

declare global {
  interface Window {
    /** Resolves when the page may write a file of its own. */
    readonly mayWrite: (name: string) => Promise<void>
  }
}

/** A passage, or six seconds of a whole video. */
const PART = /\.(?:passage|stretch)-(\d+)$/

/** The passages of an edit as this tab writes them, of which the third one waits for `letGo`. */
export async function holdThirdPassage(page: Page): Promise<HeldPassage> {
  const gone = Promise.withResolvers<void>()
  const written: string[] = []
  let isHeld = false
  await page.exposeFunction('mayWrite', async (name: string) => {
    const [, passage] = PART.exec(name) ?? []
    if (passage === undefined) return
    if (passage === '3') {
      isHeld = true
      await gone.promise
    }
    written.push(passage)
  })
  await page.addInitScript(() => {
    const write = FileSystemFileHandle.prototype.createWritable
    FileSystemFileHandle.prototype.createWritable = async function hold(options) {
      await window.mayWrite(this.name)
      return await write.call(this, options)
    }
  })
  return { isHeld: () => isHeld, letGo: gone.resolve, written }
}

export interface HeldPassage {
  /** Two passages are kept, and the third one waits. */
  isHeld(): boolean
  letGo(): void
  /** The numbers of all passages that the page might write, in their order. */
  readonly written: readonly string[]
}

/** How many passages of an edit are kept that is not whole. */
export async function passagesKept(page: Page): Promise<number> {
  return (await filesKept(page)).filter((path) => PART.test(path)).length
}
