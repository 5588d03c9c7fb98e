import { Component, type ReactNode } from "react";

interface Props {
  /** Rendered instead of children that throw while rendering. */
  readonly broken: ReactNode;
  /** A new value gives the children another try. */
  readonly resetBy?: string;
  readonly children: ReactNode;
}

interface State {
  readonly isBroken: boolean;
  readonly resetBy: string | undefined;
}

/** Keeps an error in its children's rendering from breaking the whole page. */
export class Boundary extends Component<Props, State> {
  override state: State = { isBroken: false, resetBy: this.props.resetBy };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  static getDerivedStateFromProps({ resetBy }: Props, before: State): State | null {
    return resetBy === before.resetBy ? null : { isBroken: false, resetBy };
  }

  override render() {
    return this.state.isBroken ? this.props.broken : this.props.children;
  }
}
