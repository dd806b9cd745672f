import { useEffect, useState } from 'react'
import { useLocal } from '#src/hooks/device/local-context.ts'
import type { KeptLine } from '#src/local/db/kept-log.ts'

/**
 * The last log lines of this device, read while `isWanted`; empty until they are read. Read before
 * the button is pressed, because some browsers let a page copy only in the press itself.
 */
export function useKeptLines(isWanted: boolean): readonly KeptLine[] {
  const { keptLines } = useLocal()
  const [lines, setLines] = useState<readonly KeptLine[]>([])
  useEffect(() => {
    if (!isWanted) return undefined
    let isGone = false
    void keptLines().then((read) => {
      if (!isGone) setLines(read)
    })
    return () => {
      isGone = true
    }
  }, [isWanted, keptLines])
  return lines
}
