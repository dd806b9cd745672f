import { SearchX } from 'lucide-react'
import { paths } from '#src/config/paths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'

/**
 * The order or job of an address does not exist, or belongs to somebody else, which looks the same.
 */
export function Missing({ what }: { readonly what: 'job' | 'order' }) {
  return (
    <EmptyState
      icon={<SearchX />}
      title={what === 'order' ? 'Order not found' : 'Edits not found'}
      action={<LinkButton to={paths.edits}>View All Edits</LinkButton>}
    >
      It may have been removed, or the link may be incomplete.
    </EmptyState>
  )
}
