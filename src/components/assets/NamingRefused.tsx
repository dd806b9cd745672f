import { adviceOfCode } from '#src/components/problem/server-copy.ts'
import { useOutboxActions } from '#src/hooks/sync/use-outbox.ts'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'

/** The server has the file and refused to make an asset of it; the name is kept. */
export function NamingRefused({
  namingId,
  code,
  message,
}: {
  readonly namingId: string
  readonly code: string
  readonly message: string
}) {
  const outbox = useOutboxActions()
  return (
    <Notice
      kind="error"
      isLive
      title="Unable to create media asset"
      className="mt-4"
      action={
        <Button size="small" variant="secondary" onPress={() => void outbox?.retry(namingId)}>
          Try Again
        </Button>
      }
    >
      {`${message} ${adviceOfCode(code) ?? ''}`}
    </Notice>
  )
}
