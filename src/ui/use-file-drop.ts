import { useEffect, useEffectEvent, useState } from 'react'
import type { RefObject } from 'react'
import { judgeDrag, readTransfer } from './dropped-files.ts'
import type { ChosenFile, DragVerdict } from './dropped-files.ts'
import { useToasts } from './toasts-context.ts'

export interface FileDropOptions {
  readonly isDisabled: boolean
  readonly maxFiles: number
  readonly isTypeAccepted: (type: string) => boolean
  readonly onChoose: (chosen: readonly ChosenFile[]) => void
  /**
   * The element that takes drops; null for the whole window, which then also takes pasted files.
   */
  readonly target: RefObject<HTMLElement | null> | null
}

const FOLDER = 'A folder cannot be added. Please open it and drop the file that is in it.'

/**
 * Takes dropped files, and says what to do with a folder. Returns what is being dragged over right
 * now, or null.
 */
export function useFileDrop({
  isDisabled,
  maxFiles,
  isTypeAccepted,
  onChoose,
  target,
}: FileDropOptions): DragVerdict | null {
  const toasts = useToasts()
  const [verdict, setVerdict] = useState<DragVerdict | null>(null)
  const judge = useEffectEvent((items: DataTransferItemList) =>
    judgeDrag(items, isTypeAccepted, maxFiles),
  )
  const take = useEffectEvent((transfer: DataTransfer) => {
    void readTransfer(transfer).then(({ files, hasFolder }) => {
      if (files.length > 0) onChoose(files)
      if (hasFolder) toasts.show('error', FOLDER)
    })
  })
  const isWindow = target === null
  useEffect(() => {
    if (isDisabled) return
    const element: HTMLElement | Window | null = isWindow ? window : (target?.current ?? null)
    if (element === null) return
    const controller = new AbortController()
    listenForDrags(element, controller.signal, {
      over: (items) => setVerdict(items === null ? null : judge(items)),
      drop: (transfer) => take(transfer),
    })
    if (isWindow) listenForPastes(controller.signal, (transfer) => take(transfer))
    return () => {
      controller.abort()
      setVerdict(null)
    }
  }, [isDisabled, isWindow, target])
  return verdict
}

interface DragListener {
  /** What is dragged over the element; null once nothing is. */
  readonly over: (items: DataTransferItemList | null) => void
  readonly drop: (transfer: DataTransfer) => void
}

/** Follows drags of files over an element until `signal` aborts. */
function listenForDrags(
  element: HTMLElement | Window,
  signal: AbortSignal,
  listener: DragListener,
): void {
  // Enter and leave fire for every child, so they are counted.
  let depth = 0
  const on = (name: string, handle: (event: DragEvent) => void) =>
    element.addEventListener(name, (event) => handle(event as DragEvent), { signal })
  on('dragenter', (event) => {
    if (!carriesFiles(event)) return
    event.preventDefault()
    depth += 1
    listener.over(event.dataTransfer.items)
  })
  on('dragover', (event) => {
    if (!carriesFiles(event)) return
    event.preventDefault()
    // An earlier listener may have refused the drag.
    event.dataTransfer.dropEffect = 'copy'
  })
  on('dragleave', (event) => {
    if (!carriesFiles(event)) return
    depth = Math.max(0, depth - 1)
    if (depth === 0) listener.over(null)
  })
  on('drop', (event) => {
    depth = 0
    listener.over(null)
    if (!carriesFiles(event) || event.defaultPrevented) return
    event.preventDefault()
    listener.drop(event.dataTransfer)
  })
}

function listenForPastes(signal: AbortSignal, paste: (transfer: DataTransfer) => void): void {
  window.addEventListener(
    'paste',
    ({ clipboardData }) => {
      if (clipboardData !== null && clipboardData.files.length > 0) paste(clipboardData)
    },
    { signal },
  )
}

/**
 * Refuses drops outside of drop zones, because the browser would open the dropped file in place of
 * the app.
 */
export function useStrayDropsRefused(): void {
  useEffect(() => {
    const refuse = (event: DragEvent): void => {
      if (event.defaultPrevented || !carriesFiles(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    window.addEventListener('dragover', refuse)
    return () => window.removeEventListener('dragover', refuse)
  }, [])
}

function carriesFiles(
  event: DragEvent,
): event is DragEvent & { readonly dataTransfer: DataTransfer } {
  return event.dataTransfer !== null && event.dataTransfer.types.includes('Files')
}
