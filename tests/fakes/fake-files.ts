import type { OpenFiles } from '#src/local/db/account-files.ts'

type Entry = FakeFolder | FakeFile

/** The names of what a browser says of each write, or of the end of one. */
interface Refusals {
  readonly write?: string
  readonly close?: string
}

/** What production uses of the browser's file system, in memory. */
export function createFakeFiles(refusals: Refusals = {}): {
  readonly open: OpenFiles
  readonly root: FakeFolder
} {
  const root = new FakeFolder('', refusals)
  return { open: () => Promise.resolve(root as unknown as FileSystemDirectoryHandle), root }
}

export class FakeFolder {
  readonly kind = 'directory'
  readonly children = new Map<string, Entry>()
  readonly name: string
  readonly #refusals: Refusals

  constructor(name: string, refusals: Refusals = {}) {
    this.name = name
    this.#refusals = refusals
  }

  async getDirectoryHandle(name: string, options?: { create?: boolean }): Promise<FakeFolder> {
    const found =
      this.children.get(name) ?? (options?.create === true && new FakeFolder(name, this.#refusals))
    if (found === false) throw notFound()
    if (found.kind !== 'directory') throw new DOMException('no folder', 'TypeMismatchError')
    this.children.set(name, found)
    return found
  }

  async getFileHandle(name: string, options?: { create?: boolean }): Promise<FakeFile> {
    const found =
      this.children.get(name) ?? (options?.create === true && new FakeFile(name, this.#refusals))
    if (found === false) throw notFound()
    if (found.kind !== 'file') throw new DOMException('no file', 'TypeMismatchError')
    this.children.set(name, found)
    return found
  }

  async removeEntry(name: string, options?: { recursive?: boolean }): Promise<void> {
    const found = this.children.get(name)
    if (found === undefined) throw notFound()
    if (found.kind === 'directory' && found.children.size > 0 && options?.recursive !== true)
      throw new DOMException('not empty', 'InvalidModificationError')
    if ([...filesOf(found)].some(({ isLocked }) => isLocked))
      throw new DOMException('a file is open', 'NoModificationAllowedError')
    this.children.delete(name)
  }

  async *values(): AsyncGenerator<Entry> {
    yield* this.children.values()
  }
}

class FakeFile {
  readonly kind = 'file'
  /** As while a worker holds a sync access handle, and while it is being written. */
  isLocked = false
  blob = new Blob([])
  readonly name: string
  readonly #refusals: Refusals

  constructor(name: string, refusals: Refusals) {
    this.name = name
    this.#refusals = refusals
  }

  async getFile(): Promise<File> {
    return new File([this.blob], this.name)
  }

  async createWritable(options?: { keepExistingData?: boolean }) {
    const chunks: BlobPart[] = options?.keepExistingData === true ? [this.blob] : []
    const { write, close } = this.#refusals
    this.isLocked = true
    return {
      write: async (chunk: BlobPart): Promise<void> => {
        if (write !== undefined) throw new DOMException(write, write)
        chunks.push(chunk)
      },
      close: async (): Promise<void> => {
        if (close !== undefined) throw new DOMException(close, close)
        this.blob = new Blob(chunks)
        this.isLocked = false
      },
      abort: async (): Promise<void> => {
        this.isLocked = false
      },
    }
  }
}

function* filesOf(entry: Entry): Generator<FakeFile> {
  if (entry.kind === 'file') return yield entry
  for (const child of entry.children.values()) yield* filesOf(child)
}

function notFound(): DOMException {
  return new DOMException('not there', 'NotFoundError')
}
