/** A chosen file and, where the browser gives one, a lasting handle to it (Chromium). */
export interface ChosenFile {
  readonly file: File
  readonly handle: FileSystemFileHandle | null
}

/** 'unknown' while dragging where the browser hides the types. */
export type DragVerdict = 'accept' | 'reject' | 'unknown'

/**
 * Whether what is being dragged would be accepted. Before the drop, browsers show only the kind and
 * the MIME type, and an empty type for files they do not know; those are not refused here.
 */
export function judgeDrag(
  items: Iterable<{ readonly kind: string; readonly type: string }>,
  isTypeAccepted: (type: string) => boolean,
  maxFiles: number,
): DragVerdict {
  const list = [...items]
  if (list.length === 0) return 'unknown'
  const files = list.filter((item) => item.kind === 'file')
  if (files.length === 0 || files.length > maxFiles) return 'reject'
  return files.every((item) => item.type === '' || isTypeAccepted(item.type)) ? 'accept' : 'reject'
}

/** What a drop or paste brought. */
export interface Brought {
  readonly files: readonly ChosenFile[]
  /** Folders are left out: what is in them is not looked for. */
  readonly hasFolder: boolean
}

/**
 * The files of a drop or paste with their handles, in order. Call it synchronously in the event:
 * the browser empties the transfer afterwards.
 */
export async function readTransfer(transfer: DataTransfer): Promise<Brought> {
  const pending = [...transfer.items]
    .filter((item) => item.kind === 'file')
    .map((item) => ({
      file: item.getAsFile(),
      handle: readHandle(item),
      // Firefox and Safari give a file for a folder, too, and have no handles that tell.
      isFolder: item.webkitGetAsEntry()?.isDirectory === true,
    }))
  const brought = await Promise.all(
    pending.map(async ({ file, handle, isFolder }) => {
      const found = await handle
      if (isFolder || found?.kind === 'directory') return 'folder'
      if (file === null) return null
      return { file, handle: found?.kind === 'file' ? (found as FileSystemFileHandle) : null }
    }),
  )
  return {
    files: brought.filter((each) => each !== null && each !== 'folder'),
    hasFolder: brought.includes('folder'),
  }
}

/**
 * Opens the browser's own picker, which also gives handles. Null when the browser has none or
 * refused to open it; an empty list when the person closed it.
 */
export async function openPicker(
  types: readonly FilePickerAcceptType[],
  isMultiple: boolean,
): Promise<readonly ChosenFile[] | null> {
  if (!('showOpenFilePicker' in window)) return null
  try {
    const handles = await window.showOpenFilePicker({ types: [...types], multiple: isMultiple })
    return await Promise.all(
      handles.map(async (handle) => ({ file: await handle.getFile(), handle })),
    )
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? [] : null
  }
}

async function readHandle(item: DataTransferItem): Promise<FileSystemHandle | null> {
  if (!('getAsFileSystemHandle' in item)) return null
  // A file from another program may have no place on the disk; then there is no handle.
  return item.getAsFileSystemHandle().catch(() => null)
}
