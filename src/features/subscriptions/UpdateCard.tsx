import { useState } from 'react'
import type { ApiFailure } from '#src/api/errors.ts'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { useOpenPortal } from './use-open-portal.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'

type Stage =
  | { readonly name: 'idle' | 'opened' }
  | { readonly name: 'blocked'; readonly url: string }
  | { readonly name: 'failed'; readonly failure: ApiFailure }

/**
 * Leads to the payment provider's page where the card is changed, in a tab of its own, so that an
 * upload of this page goes on. A browser that opens no tab gets a link.
 */
export function UpdateCard() {
  const portal = useOpenPortal()
  const [stage, setStage] = useState<Stage>({ name: 'idle' })
  const start = async () => {
    setStage({ name: 'idle' })
    const result = await portal.mutateAsync()
    if (!result.ok) setStage({ name: 'failed', failure: result.error })
    else if (openTab(result.value)) setStage({ name: 'opened' })
    else setStage({ name: 'blocked', url: result.value })
  }
  return (
    <div className="flex flex-col items-start gap-2">
      {stage.name === 'blocked' ? (
        <LinkButton to={stage.url} isNewTab isDocument>
          Open the payment page
        </LinkButton>
      ) : (
        <SendButton
          sends="POST /v1/payments/portal-sessions"
          onPress={() => void start()}
          isBusy={portal.isPending}
        >
          Update card
        </SendButton>
      )}
      <p role="status" className="text-sm text-ink-muted">
        {wordsOf(stage)}
      </p>
    </div>
  )
}

function wordsOf(stage: Stage): string {
  switch (stage.name) {
    case 'idle':
      return ''
    case 'opened':
      return 'The payment page is open in another tab. This page follows when the payment has gone through.'
    case 'blocked':
      return 'Your browser opened no tab.'
    case 'failed': {
      const { title, body } = serverProblemCopy(stage.failure)
      return [title.replace(/\.?$/, '.'), body].filter((part) => part !== null).join(' ')
    }
  }
}

/** False when the browser opened no tab. The page in it cannot reach this one. */
function openTab(url: string): boolean {
  const tab = window.open(url, '_blank')
  if (tab === null) return false
  tab.opener = null
  return true
}
