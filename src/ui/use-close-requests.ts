import { useEffect, useEffectEvent } from 'react'

/** What browsers without it lack: Safari, and Firefox on phones. */
interface CloseWatcher extends EventTarget {
  destroy(): void
}
declare global {
  interface Window {
    readonly CloseWatcher?: new () => CloseWatcher
  }
}

interface OpenDialog {
  /** Null where the dialog cannot be closed. */
  readonly close: (() => void) | null
}

/** All that are open, the one on top last. */
const open: OpenDialog[] = []
/** One for all dialogs: those made without a press in between would hear one request together. */
let watcher: CloseWatcher | null = null

/**
 * Closes a dialog by what the browser asks pages to close things by: the back button or gesture of
 * Android, which would leave the page else. Of several dialogs only the one on top hears it. Escape
 * is heard by the dialogs themselves.
 */
export function useCloseRequests(isOpen: boolean, isBlocking: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!isOpen) return undefined
    const dialog: OpenDialog = { close: isBlocking ? null : () => close() }
    open.push(dialog)
    watch()
    return () => {
      open.splice(open.indexOf(dialog), 1)
      watch()
    }
  }, [isOpen, isBlocking])
}

/** Listens while the dialog on top can be closed, and else leaves the back button to the page. */
function watch(): void {
  const isWanted = (open.at(-1)?.close ?? null) !== null
  if (!isWanted) {
    watcher?.destroy()
    watcher = null
    return
  }
  if (watcher !== null || window.CloseWatcher === undefined) return
  watcher = new window.CloseWatcher()
  watcher.addEventListener('close', () => {
    watcher = null
    open.at(-1)?.close?.()
    // The dialog may stay and ask first, and it may lie on another one.
    watch()
  })
}
