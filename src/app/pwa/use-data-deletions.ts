import { useSyncExternalStore } from 'react'
import { useLocal } from '#src/hooks/device/local-context.ts'

/** How often the browser deleted the account's data under this page. */
export function useDataDeletions(): number {
  const { deletions } = useLocal()
  return useSyncExternalStore(deletions.subscribe, deletions.current)
}
