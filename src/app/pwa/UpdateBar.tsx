import { useAtomValue } from 'jotai'
import { Sparkles } from 'lucide-react'
import { updateAtom } from './pwa-atoms.ts'
import { usePwa } from './pwa-context.ts'
import { Button } from '#src/ui/Button.tsx'

/** A small non-modal offer of the new version. */
export function UpdateBar() {
  const { update } = usePwa()
  const state = useAtomValue(updateAtom)
  if (state.kind !== 'waiting' && state.kind !== 'replaced') return null
  return (
    <div
      role="status"
      className="fixed inset-x-4 bottom-[max(1rem,env(safe-area-inset-bottom))] z-40 flex animate-rise flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line bg-surface-raised p-4 shadow-3 sm:right-auto sm:max-w-md"
    >
      <Sparkles aria-hidden className="size-5 shrink-0 text-accent" />
      <p className="min-w-0 flex-1 text-[0.9375rem]">
        {state.kind === 'waiting'
          ? 'A new version of Onecut is ready.'
          : 'Onecut was updated in another tab.'}
      </p>
      <div className="flex gap-2">
        <Button size="small" variant="quiet" onPress={update.later}>
          Later
        </Button>
        <Button size="small" onPress={update.accept}>
          Reload
        </Button>
      </div>
    </div>
  )
}
