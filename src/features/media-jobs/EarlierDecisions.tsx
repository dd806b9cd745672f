import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { byHandWords, isUndecided } from './decisions.ts'
import type { Desk } from './use-desk.ts'

/**
 * Offers what was decided for another edit of the same video, until something is decided here. It
 * is not taken by itself: who stays visible is said for each edit.
 */
export function EarlierDecisions({ desk }: { readonly desk: Desk }) {
  const { decisions, decide, review } = desk
  const { earlier } = review
  if (earlier === undefined || isUndecided(earlier) || !isUndecided(decisions)) return null
  const visible = earlier.uncovered.length
  return (
    <Notice
      title="You have looked at this video before"
      action={
        <Button variant="secondary" size="small" onPress={() => decide(earlier)}>
          Start from those decisions
        </Button>
      }
    >
      For another edit of it, {visible === 1 ? '1 face stays' : `${visible} faces stay`} visible.{' '}
      {byHandWords(earlier)}
    </Notice>
  )
}
