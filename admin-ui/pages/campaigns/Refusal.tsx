/** Error message for a control that cannot show a message itself. */
export function Refusal({ children }: { children: string }) {
  return (
    <p className="field-error" role="alert">
      {children}
    </p>
  );
}
