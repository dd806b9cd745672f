import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { pushFailureWords } from '#src/components/account/push-words.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { useDevicePushes } from '#src/hooks/device/use-pushes.ts'
import { Button } from '#src/ui/Button.tsx'

/**
 * Offers to tell this device what comes of an order; nothing where it is told already, cannot be,
 * or its person refused it before: the account page says what to do then.
 */
export function TellOnThisDevice({ what }: { readonly what: string }) {
  const pushes = useDevicePushes()
  const isOnline = useOnline()
  const [problem, setProblem] = useState<string | null>(null)
  const turn = pushes !== null && pushes.kind === 'off' ? pushes.turn : null
  const press = async () => {
    setProblem(null)
    const turned = await turn?.(true)
    if (turned?.ok === false) setProblem(pushFailureWords(turned.error))
  }
  return (
    <div aria-live="polite" className="mt-3 flex flex-col items-start gap-2 empty:hidden">
      {turn === null || !isOnline ? null : (
        <Button
          variant="secondary"
          size="small"
          isBusy={pushes?.kind === 'off' && pushes.isBusy}
          onPress={() => void press()}
        >
          <BellRing aria-hidden className="size-4.5" />
          {`Tell me on this device ${what}`}
        </Button>
      )}
      {problem === null ? null : <p className="text-sm text-bad">{problem}</p>}
    </div>
  )
}
