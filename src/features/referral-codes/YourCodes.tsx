import { Copy, TicketPercent } from 'lucide-react'
import { useId } from 'react'
import { shareLinks, shareMessage } from './share-links.ts'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { paths } from '#src/config/paths.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import type { ReferralCode } from '#src/local/nouns/referral-codes.ts'
import { Button } from '#src/ui/Button.tsx'
import { buttonLook } from '#src/ui/button-look.ts'
import { Card } from '#src/ui/Card.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'

/** The person's codes, newest first, each with the ways to share it. */
export function YourCodes({ codes }: { readonly codes: Shown<readonly ReferralCode[]> }) {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-4 text-2xl font-bold">
        Your Codes
      </h2>
      <PullFailure pull={codes} title="Unable to fetch your referral codes" className="mb-4" />
      <CodeList codes={codes} />
    </section>
  )
}

function CodeList({ codes: { data, status } }: { readonly codes: Shown<readonly ReferralCode[]> }) {
  if (data === null)
    return status === 'failed' ? null : (
      <div role="status" aria-label="Loading your codes">
        <Skeleton className="h-36" />
      </div>
    )
  if (data.length === 0)
    return (
      <EmptyState icon={<TicketPercent />} title="No Referral Codes Yet">
        Make a code below and share its link with your friends.
      </EmptyState>
    )
  return (
    <ul className="grid gap-4 lg:grid-cols-2">
      {data.map((code) => (
        <CodeCard key={code._id} code={code.code} />
      ))}
    </ul>
  )
}

function CodeCard({ code }: { readonly code: string }) {
  const copy = useCopy()
  const link = new URL(paths.invite(code), window.location.origin).href
  return (
    <Card as="li">
      <h3 className="text-xl font-semibold wrap-anywhere">{code}</h3>
      <p className="mt-1 text-sm wrap-anywhere text-ink-muted">{link}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          variant="secondary"
          onPress={() => copy(link, 'Referral code copied to clipboard')}
          label={`Copy Link of ${code}`}
        >
          <Copy aria-hidden className="size-4.5" />
          Copy Link
        </Button>
        {shareLinks(link).map(({ name, href }) => (
          <a
            key={name}
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={`Share ${code} by ${name}`}
            className={buttonLook('quiet', 'medium')}
          >
            {name}
          </a>
        ))}
        <Button
          variant="quiet"
          onPress={() => copy(shareMessage(link), 'Copied to clipboard for Discord sharing')}
          label={`Copy ${code} for Discord`}
        >
          Discord
        </Button>
      </div>
    </Card>
  )
}

/** Copies a text and says so, also when the browser refuses. */
function useCopy(): (text: string, said: string) => void {
  const toasts = useToasts()
  return (text, said) =>
    void navigator.clipboard.writeText(text).then(
      () => toasts.show('success', said),
      () => toasts.show('error', 'The browser did not allow copying'),
    )
}
