import { Download } from 'lucide-react'
import { API_BASE } from '#src/config/paths.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { buttonLook } from '#src/ui/button-look.ts'
import { Card } from '#src/ui/Card.tsx'

/** Downloads everything that the server stores about the person. */
export function TakeAlong() {
  const isOnline = useOnline()
  const words = (
    <>
      <Download aria-hidden className="size-4.5" />
      Download my data
    </>
  )
  return (
    <Card as="section" labelledBy="take-along" className="flex h-full flex-col gap-4">
      <div className="flex-1">
        <h2 id="take-along" className="text-xl font-semibold">
          Take my data along
        </h2>
        <p className="mt-2 text-ink-muted">
          One ZIP file with everything we store about you: account, devices, tokens, payments with
          their receipts, orders, uploads and edits. Videos are named in it, not included: download
          your results from My Edits.
        </p>
      </div>
      {isOnline ? (
        <a
          href={`${API_BASE}/v1/users/me/export`}
          download
          className={buttonLook('secondary', 'medium', 'self-start')}
        >
          {words}
        </a>
      ) : (
        <p className="text-sm text-ink-muted">You can download it when you are online.</p>
      )}
    </Card>
  )
}
