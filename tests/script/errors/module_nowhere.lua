require "quantities"
