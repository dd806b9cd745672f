import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'

/**
 * For an error boundary of the router: asks the guards of this address again as soon as
 * `isPossible`, and opens the page when they pass.
 */
export function useOpenWhen(isPossible: boolean): void {
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const location = useLocation()
  const open = useEffectEvent(async () => {
    await revalidate()
    // A boundary keeps its error when guards answer before React draws that they were asked
    // (react-router issue 11597). It always lets go at a new entry, and with a fragment in the
    // address a new entry alone asks no guard.
    await navigate(location, { replace: true, preventScrollReset: true })
  })
  useEffect(() => {
    if (isPossible) void open()
  }, [isPossible])
}
