export const texts: Readonly<
  Record<string, { readonly back: string; readonly start: string; readonly touch: string }>
> = {
  en: { back: 'Back', start: 'Start', touch: 'Touch to begin' },
  de: { back: 'Zurück', start: 'Start', touch: 'Zum Starten berühren' },
  fr: { back: 'Retour', start: 'Accueil', touch: 'Touchez pour commencer' },
  es: { back: 'Atrás', start: 'Inicio', touch: 'Toque para empezar' },
  it: { back: 'Indietro', start: 'Inizio', touch: 'Tocca per iniziare' },
  nl: { back: 'Terug', start: 'Start', touch: 'Raak aan om te beginnen' },
  pt: { back: 'Voltar', start: 'Início', touch: 'Toque para começar' },
  pl: { back: 'Wstecz', start: 'Start', touch: 'Dotknij, aby rozpocząć' },
};
