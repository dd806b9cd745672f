import { useEffect, useEffectEvent, useState } from 'react'
import type { RefObject } from 'react'
import { judgeDrag, readTransfer } from './dropped-files.ts'
import type { ChosenFile, DragVerdict } from './dropped-files.ts'

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

/**
 * Takes dropped files. Returns what is being dragged over right now, or null.
 * Enter and leave fire for every child, so they are counted.
 */
export function useFileDrop({
  isDisabled,
  maxFiles,
  isTypeAccepted,
  onChoose,
  target,
}: FileDropOptions): DragVerdict | null {
  const [verdict, setVerdict] = useState<DragVerdict | null>(null)
  const judge = useEffectEvent((items: DataTransferItemList) =>
    judgeDrag(items, isTypeAccepted, maxFiles),
  )
  const take = useEffectEvent((transfer: DataTransfer) => {
    void readTransfer(transfer).then((chosen) => {
      if (chosen.length > 0) onChoose(chosen)
    })
  })
  const isWindow = target === null
  useEffect(() => {
    if (isDisabled) return
    const element: HTMLElement | Window | null = isWindow ? window : (target?.current ?? null)
    if (element === null) return
    const controller = new AbortController()
    let depth = 0
    const on = <E extends Event>(name: string, handle: (event: E) => void) =>
      element.addEventListener(name, (event) => handle(event as E), { signal: controller.signal })
    on<DragEvent>('dragenter', (event) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      depth += 1
      setVerdict(judge(event.dataTransfer.items))
    })
    on<DragEvent>('dragover', (event) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      // Whoever listened before may have refused it.
      event.dataTransfer.dropEffect = 'copy'
    })
    on<DragEvent>('dragleave', (event) => {
      if (!carriesFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setVerdict(null)
    })
    on<DragEvent>('drop', (event) => {
      depth = 0
      setVerdict(null)
      if (!carriesFiles(event) || event.defaultPrevented) return
      event.preventDefault()
      take(event.dataTransfer)
    })
    if (isWindow) {
      on<ClipboardEvent>('paste', (event) => {
        if (event.clipboardData !== null && event.clipboardData.files.length > 0)
          take(event.clipboardData)
      })
    }
    return () => {
      controller.abort()
      setVerdict(null)
    }
  }, [isDisabled, isWindow, target])
  return verdict
}

/**
 * Where nothing takes files, a browser opens a dropped one in place of the app: refuses those
 * drops.
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
