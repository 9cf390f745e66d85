#pragma once

#include "saltus/circuits/circuit.hpp"

#include <filesystem>
#include <string_view>

namespace saltus::circuits {

/// Reads a circuit from SPICE-like text (F:F044). The first line is the title; `*` begins a comment
/// line, `;` a comment at the end of a line, `+` a continuation. Upper and lower case are alike.
/// Numbers take the suffixes t g meg k m u n p f; {…} is an expression in the parameters.
///
///     Rname a b R                    Cname a b C [ic=V]          Lname a b L [ic=I]
///     Kname La Lb [Lc …] k           Dname anode cathode [model]
///     Vname a b WAVE                 Iname a b WAVE
///         WAVE = [dc] X | sin(offset amplitude frequency delay damping phase°)
///              | pulse(low high delay rise fall width period) | pwl(t1 x1 t2 x2 …)
///     Ename a b c d gain             Gname a b c d gain          (controlled by v(c) − v(d))
///     Fname a b Vcontrol gain        Hname a b Vcontrol gain     (controlled by its current)
///     Sname a b c d [model] [on|off] Sname a b WAVE [model]      (switch; the second: over time)
///     Mname drain gate source bulk model [w= l=]                 (bulk is not used)
///     Oname plus minus out [low= high=]                          (ideal operational amplifier)
///     Tname a b c d ratio                                        (ideal transformer)
///     Xname node … subcircuit [parameter=…]
///     .model name d(vf= ron= bv=) | sw(vt= vh= ron= roff= clock=) | nmos(kp= vto= w= l= cgs= cgd=)
///     .subckt name node … [parameter=…]     .ends     .param name=…     .ic v(node)=…
///     .tran step stop [start [longest]] [uic]         .options theta=…  (1/2 to 1) | method=trap
///     .probe v(a) v(a,b) i(element) …
///     .meas [tran] name avg|rms|max|min|pp|thd|last v(a)|i(b) [from= to= freq=]
///     .end
///
/// Devices are ideal unless a number says otherwise: no model means V_f = 0, R_on = 0, R_off = ∞.
/// `ic=` or `.ic` anywhere implies uic. Throws Error with line and column, what stood there and
/// what was expected.
[[nodiscard]] Circuit read_netlist(std::string_view text);

/// The same from a file. Throws Error, naming the file, if it cannot be read or is wrong.
[[nodiscard]] Circuit read_netlist_file(const std::filesystem::path& file);

}  // namespace saltus::circuits
