import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { HumanCheck } from './human-check.ts'
import { loadRecaptcha, renderRecaptcha } from './recaptcha.ts'
import { Notice } from '#src/ui/Notice.tsx'

/** The external widget, where the server is configured with its keys. */
export function RecaptchaBox({
  check,
  siteKey,
}: {
  readonly check: HumanCheck
  readonly siteKey: string
}) {
  const container = useRef<HTMLDivElement>(null)
  const [isMissing, setMissing] = useState(false)
  const draw = useEffectEvent(async (element: HTMLElement, signal: AbortSignal) => {
    const api = await loadRecaptcha()
    if (signal.aborted) return
    setMissing(api === null)
    if (api === null) return
    renderRecaptcha(api, element, siteKey, {
      onToken: (token) => check.accept({ token, expiresAtEpochMs: null }),
      onExpired: check.expire,
      onError: check.fail,
    })
  })
  useEffect(() => {
    const controller = new AbortController()
    // The widget cannot be drawn twice into one element, so each mount gets its own.
    const element = document.createElement('div')
    container.current?.append(element)
    void draw(element, controller.signal)
    return () => {
      controller.abort()
      element.remove()
    }
  }, [siteKey])
  return (
    <div>
      <div ref={container} className="min-h-20" />
      {isMissing ? (
        <Notice kind="error" isLive>
          The human verification could not be loaded. Check your connection or content blocker and
          reload.
        </Notice>
      ) : null}
    </div>
  )
}
