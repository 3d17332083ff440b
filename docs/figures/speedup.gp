# The founding paper's Figs. 4 and 5 for bmsim: gnuplot docs/figures/speedup.gp, from the folder docs/figures.
set terminal svg size 720,480 font "sans,13" background "white"
set output "speedup_h200.svg"
set datafile separator ","
set logscale xy 10
set format y "10^{%L}"
set format x "2^{%.0f}"
unset logscale x
set xlabel "particles"
set ylabel "speedup over one CPU core (equation 33)"
set xtics 5, 2, 17
set xrange [4.5:17.5]
set key left top
set grid ytics lc rgb "#dddddd"
f(m, p) = sprintf("< grep '^%s,%s,' speedup_h200.csv", m, p)
plot f("I","single")   using (log($3)/log(2)):6 with linespoints lw 2 pt 7 lc rgb "#0072B2" title "Model I, single", \
     f("II","single")  using (log($3)/log(2)):6 with linespoints lw 2 pt 5 lc rgb "#D55E00" title "Model II, single", \
     f("I","double")   using (log($3)/log(2)):6 with linespoints lw 2 dt 2 pt 6 lc rgb "#0072B2" \
                       title "Model I, double", \
     f("II","double")  using (log($3)/log(2)):6 with linespoints lw 2 dt 2 pt 4 lc rgb "#D55E00" \
                       title "Model II, double"
