import { useEffect, useEffectEvent, type RefObject } from 'react'

/**
 * Hears the document of a frame, by its origins, and nothing of other frames, windows and origins.
 */
export function useFrameMessages(
  frame: RefObject<HTMLIFrameElement | null>,
  origins: readonly string[] | null,
  onMessage: (data: unknown) => void,
): void {
  const hear = useEffectEvent((event: MessageEvent) => {
    const source = frame.current?.contentWindow ?? null
    if (source === null || event.source !== source) return
    if (origins?.includes(event.origin) === true) onMessage(event.data)
  })
  useEffect(() => {
    const listen = (event: MessageEvent): void => hear(event)
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [])
}
