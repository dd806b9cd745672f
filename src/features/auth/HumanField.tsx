import type { BoundHumanCheck } from './use-human-check.ts'
import { HumanBox } from './HumanBox.tsx'
import { RecaptchaBox } from './RecaptchaBox.tsx'

export interface HumanFieldProps {
  readonly bound: BoundHumanCheck
  readonly siteKey: string | null
}

/** The verification that this server uses. */
export function HumanField({ bound, siteKey }: HumanFieldProps) {
  return siteKey === null ? (
    <HumanBox check={bound.check} state={bound.state} />
  ) : (
    <RecaptchaBox check={bound.check} siteKey={siteKey} />
  )
}
