import { createContext } from 'react'

/**
 * Where the bar with the main way to pay stands, at the end of the checkout; null while that way
 * stands in the payment itself.
 */
export const PayBarPlace = createContext<HTMLElement | null>(null)
