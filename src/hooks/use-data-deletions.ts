import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useLocal } from './local-context.ts'
import { PULL_KEY } from './pulls.ts'

/**
 * How often the browser deleted the account's data under this page. Pulls what is shown again each
 * time. Use it once, in the layout.
 */
export function useDataDeletions(): number {
  const { deletions } = useLocal()
  const queries = useQueryClient()
  const count = useSyncExternalStore(deletions.subscribe, deletions.current)
  useEffect(() => {
    if (count > 0) void queries.invalidateQueries({ queryKey: PULL_KEY })
  }, [count, queries])
  return count
}
